// SPDX-License-Identifier: Apache-2.0

// Informer measures client-go's shared informer on the Pods of a server: megabytes a second of
// processor time and seconds for the first list, bytes of memory for each Pod, and events a second
// of the wall clock and of processor time.
//
//	informer URL PODS BYTES EVENTS
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func processorSeconds() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func heapBytes() float64 {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return float64(memory.HeapInuse)
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return value
}

type mark struct{ wall, processor float64 }

func now() mark {
	return mark{float64(time.Now().UnixNano()) / 1e9, processorSeconds()}
}

func main() {
	pods, bytes, events := number(os.Args[2]), number(os.Args[3]), number(os.Args[4])
	client, err := kubernetes.NewForConfig(&rest.Config{Host: os.Args[1], QPS: -1})
	if err != nil {
		panic(err)
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Core().V1().Pods().Informer()
	var seen atomic.Int64
	var first, last mark
	measured := make(chan struct{})
	done := make(chan struct{})
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, current any) {
			_ = current.(*corev1.Pod).Name
			switch seen.Add(1) {
			case 1:
				<-measured
				first = now()
			case events:
				last = now()
				close(done)
			}
		},
	})
	memory, begin := heapBytes(), now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	factory.Start(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
	listed := now()
	perPod := (heapBytes() - memory) / float64(pods)
	close(measured)
	<-done
	fmt.Println(float64(bytes)/1e6/(listed.processor-begin.processor), listed.wall-begin.wall, perPod,
		float64(events)/(last.wall-first.wall), float64(events)/(last.processor-first.processor))
}
